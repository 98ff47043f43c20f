import type { Letter } from './letters.ts'

const SIGNATURE = 'Boathouse'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const paragraph = (text: string, style = ''): string =>
  `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`

const MUTED = 'color:#5b6478;font-size:13px'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#2356c5;color:#ffffff;font-weight:600;text-decoration:none'

function html({ subject, paragraphs, notes = [] }: Letter, link: string | undefined, label: string): string {
  const address = link && escapeHtml(link)
  const action = address
    ? `<p style="margin:24px 0"><a href="${address}" style="${BUTTON}">${escapeHtml(label)}</a></p>` +
      `<p style="margin:0 0 16px;${MUTED}">Or copy this address into a browser:<br><a href="${address}" style="color:#2356c5;word-break:break-all">${address}</a></p>`
    : ''
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>` +
    '<body style="margin:0;padding:32px 16px;font:15px/1.5 system-ui,-apple-system,Segoe UI,sans-serif"><div style="max-width:520px;margin:0 auto">' +
    `${paragraphs.map((text) => paragraph(text)).join('')}${action}${notes.map((text) => paragraph(text, MUTED)).join('')}` +
    `<p style="margin:24px 0 0;${MUTED}">${SIGNATURE}</p></div></body></html>`
  )
}

/** As text and as HTML that says the same; nothing in it is fetched from anywhere. */
export function renderLetter(letter: Letter, publicUrl: string) {
  const { subject, paragraphs, action, notes = [] } = letter
  const link = action && new URL(action.path, publicUrl).href
  const parts = [...paragraphs, ...(link ? [`${action.label}:\n${link}`] : []), ...notes, SIGNATURE]
  return { subject, text: `${parts.join('\n\n')}\n`, html: html(letter, link, action?.label ?? ''), link }
}
