import { translated } from '@/lib/translated'

/** Messages for failed bookings; those quoted in the requirements are verbatim. */
export const failureMessages = translated('bookingFailures', {
  failed: 'Booking failed',
  failedText: 'Could not create your booking. Please try again.',
  refused: {
    too_many_open_bookings:
      'Too many of your bookings wait for an answer. Cancel one, or wait until they are confirmed.',
    too_many_bookings: 'You have made many bookings today. Please try again tomorrow.',
    booking_too_soon: 'The business needs more notice. Choose a later time.',
    booking_too_far_ahead: 'The business takes no bookings that far ahead. Choose an earlier day.',
    business_without_owner:
      'Nobody manages this business here any more. Please contact it directly.',
    bookings_busy: 'Others are booking at the same time. Please try again.',
  },
  taken: 'Someone took that time a moment ago. Choose another.',
  kept: 'Nothing was booked. Your choice and notes are kept.',
  lost: 'Your request did not arrive.',
  notSent:
    'Nothing was booked, and nothing is sent later by itself. Your choice and notes are kept.',
  unknown: 'We do not know yet whether it was booked',
  unknownText: 'The answer was lost on its way. We look as soon as Plaza can be reached.',
  unknownMore: 'You can also press the button again: you will not be booked twice.',
})
