/** Words of becoming a seller; those of the states stand so in the documents (SELLER-03 to SELLER-06). */
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
  businessTypeHelp: 'For example a hair salon, a workshop or a surf school.',
  location: 'Location',
  locationHelp: 'City and, if there is one, the street.',
  description: 'Description (optional)',
  descriptionHelp: 'What you offer, and to whom.',
  submit: 'Send Application',
  submitted: 'Application sent',
  notSent: 'Your application was not sent',
  alreadyPending: 'You have an application in review already.',
  alreadySeller: 'Your seller account is already active.',

  nameShort: 'Please enter the name of your business (2 characters or more)',
  nameLong: 'The name cannot exceed 100 characters',
  typeShort: 'Please enter the type of your business (2 characters or more)',
  typeLong: 'The type cannot exceed 100 characters',
  locationShort: 'Please enter where your business is (2 characters or more)',
  locationLong: 'The location cannot exceed 200 characters',
  descriptionLong: 'The description cannot exceed 2000 characters',
} as const
