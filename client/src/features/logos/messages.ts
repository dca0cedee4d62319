/** Texts of the logo panel (SUB-07). */
export const messages = {
  title: 'Logo',
  text: 'Stands beside the name on your page. JPEG, PNG or WebP, up to 1 MB; a square one fits best.',
  none: 'No logo yet',
  choose: 'Choose a logo',
  replace: 'Replace logo',
  remove: 'Remove logo',
  saving: 'Saving the logo',
  saved: 'Logo saved',
  removed: 'Logo removed',
  saveFailed: 'Logo not saved',
  removeFailed: 'Logo not removed',
  again: 'Try again',
  wrongType: 'Please choose a valid image file (JPEG, PNG, or WebP)',
  tooLarge: 'The file cannot be larger than 1 MB',
  refusals: {
    plan_logo: 'The plan of this business has no logo. Choose a plan that has one, then try again.',
  },
  noPlan: 'Your plan has no logo',
  noPlanText: 'With a larger plan, your own logo stands beside the name of your business.',
  hidden: 'Your logo is not shown',
  hiddenText: 'The plan of this business has no logo any more. It is kept until you remove it.',
} as const
