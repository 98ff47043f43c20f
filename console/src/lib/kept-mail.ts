/** As the page says: there is no mail server, so every mail waits for the operator to read it. */
export const isMailKept = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-mail"]')?.content === 'kept'
