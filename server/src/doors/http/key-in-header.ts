import { KEY_PREFIX } from '@boathouse/contract'

const BEARER = new RegExp(`^Bearer\\s+(${KEY_PREFIX}\\S*)\\s*$`, 'i')

/** An API key as a bearer; null where the header has none. Whether it is right is for others to say. */
export const keyInHeader = ({ authorization }: { authorization?: string | undefined }): string | null =>
  BEARER.exec(authorization ?? '')?.[1] ?? null
