/** Words for a business that has no owner here, and for claiming it. */
export const messages = {
  title: 'No bookings here yet',
  text: (name: string) =>
    `Nobody manages ${name} on this site yet, so nobody would answer a request. Contact it directly.`,
  call: (phone: string) => `Call ${phone}`,
  website: 'Visit website',
  noContact: 'No telephone number or website is known.',
  isYours: 'Is it yours?',
  claim: 'Claim this business',

  dialogTitle: 'Claim this business',
  dialogText: (name: string) =>
    `Tell us how you belong to ${name}. We check it before it is yours to manage.`,
  fullName: 'Your name',
  email: 'Business email',
  emailHelp: 'Best one at the business’s own domain',
  role: 'Your role',
  roleHelp: 'For example owner or manager',
  method: 'How may we check it?',
  methods: {
    email_domain: 'By a mail to the business email',
    phone_verification: 'By a call to the business’s telephone',
  },
  send: 'Send claim',
  cancel: 'Cancel',
  sent: 'Claim sent',
  sentText: 'You will find the answer in your notifications.',
  nameMissing: 'Enter your name',
  nameLong: 'A name has at most 100 characters',
  emailBad: 'Enter an email address',
  roleMissing: 'Enter your role',
  roleLong: 'A role has at most 100 characters',
  refusals: {
    business_has_owner: 'This business has an owner by now. Reload the page to book.',
    too_many_claims: 'Five of your claims are not decided yet. Please wait for an answer.',
    '23505':
      'You have claimed this business already. You will find the answer in your notifications.',
  },
} as const
