/** As the page says: whether the service takes any password (SIGNIN-26). */
export const isPasswordRuleOff = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-password-rule"]')?.content === 'off'
