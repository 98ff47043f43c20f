/** As the page says: whether the service refuses free webmail at sign-up. */
export const isBusinessMailOnly = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-business-mail"]')?.content === 'only'
