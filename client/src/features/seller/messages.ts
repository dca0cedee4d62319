/**
 * Texts for becoming a seller; those of the states are from the requirements (SELLER-03 to
 * SELLER-06).
 */
export const messages = {
  title: 'Become a Seller',
  intro:
    'Tell us about your business. Once we have approved it, you can list it and take bookings.',
  pending: 'Loading your application',
  failed: 'Your application could not be loaded',
  formLoading: 'Loading the form',
  card: 'Selling on Plaza',

  state: {
    none: {
      title: 'Become a Seller',
      text: 'List your business on Plaza and let customers book it.',
      action: 'Apply Now',
    },
    pending: {
      title: 'Application In Review',
      text: 'A review typically takes 1-3 business days. You get a notification as soon as it is decided.',
      action: 'View Application',
    },
    approved: {
      title: 'Seller Account Active',
      text: 'You can create businesses now.',
      action: 'Create Business',
    },
    rejected: {
      title: 'Application Not Approved',
      text: 'Contact support to appeal.',
      action: 'Contact Support',
    },
  },
  applyAgain: 'Apply Again',
  again: 'A new application takes the place of the one that was not approved.',
  sent: 'Your application',
  sentOn: 'Sent',
  toDashboard: 'Go to Dashboard',

  businessName: 'Business name',
  businessType: 'Type of business',
  location: 'Location',
} as const
