const named = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-support"]')?.content || undefined

const isAddress = (contact: string): boolean => /^\S+@\S+$/.test(contact)

/** An operator names a contact in the page's head; where none is named nothing is shown. */
export function SupportContact({ before }: { before?: string }) {
  const contact = named()
  if (!contact) return null
  return (
    <p>
      {before && `${before} `}
      {isAddress(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : contact}
    </p>
  )
}
