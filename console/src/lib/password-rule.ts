/** As the page says: whether the service takes any password. */
export const isPasswordRuleOff = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-password-rule"]')?.content === 'off'
