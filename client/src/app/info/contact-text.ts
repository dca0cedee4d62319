export type ContactTextProps = {
  isSignedOut: boolean
  /** Called before the sign-in page is opened. */
  onSignIn: () => void
}
