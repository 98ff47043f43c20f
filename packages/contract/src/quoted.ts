/** A text as another language takes it unchanged. */
export const quoted = {
  /** A shell takes text in single quotes unchanged; a quote itself is written '\''. */
  shell: (text: string): string =>
    /^[A-Za-z0-9_.@:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`,
  /** JavaScript, Java, Python, Go and YAML read a text of JSON as it is meant. */
  code: (text: string): string => JSON.stringify(text),
  php: (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
  odbc: (text: string): string => (/[;{}]/.test(text) ? `{${text.replaceAll('}', '}}')}}` : text),
  /** A part of an address, such as a user name. */
  url: (text: string): string => encodeURIComponent(text),
  /** An IPv6 address has brackets where a port follows. */
  host: (host: string): string => (host.includes(':') ? `[${host}]` : host),
} as const
