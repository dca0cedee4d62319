-- Tables whose changes are sent to those who may see the row, with the columns that filters need and nothing else: who is
-- told reads the row itself.
alter publication supabase_realtime add table
  public.notifications (id, user_id),
  public.messages (id, sender_id, recipient_id),
  public.bookings (id, user_id, business_id),
  public.claim_requests (id),
  public.seller_applications (id),
  public.reports (id),
  public.support_tickets (id);
