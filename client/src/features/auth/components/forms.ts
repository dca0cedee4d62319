// Loaded by lazy-forms: all forms in one file, so that changing tabs needs no loading.
export { ForgotPasswordForm } from './forgot-password-form'
export { NewPasswordForm } from './new-password-form'
export { PhoneCode } from './phone-code'
export { PhoneForm } from './phone-form'
export { SecondFactorStep } from './second-factor-step'
export { SignInForm } from './sign-in-form'
export { SignUpForm } from './sign-up-form'
