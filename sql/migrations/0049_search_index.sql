drop index public.businesses_search_document_idx;
drop index public.bookings_business_date_idx;
