/** Texts of the application form; showing a state does not need them. */
export const formMessages = {
  businessTypeHelp: 'For example a hair salon, a workshop or a surf school.',
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
