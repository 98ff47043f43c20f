import { saveBlob } from '../../lib/save-file.ts'

const SHARPNESS = 2
/** Browsers draw no larger canvas. */
const MOST_PX = 16_000

/** All that a page is drawn by here: to copy every property of every element would take seconds. */
const LOOKS = [
  'display position inset box-sizing width height min-width min-height max-width margin padding',
  'border border-collapse border-radius overflow visibility opacity flex flex-direction flex-wrap',
  'align-items justify-content place-content gap grid-template-columns grid-template-rows',
  'grid-auto-rows grid-area vertical-align background-color color font-family font-size',
  'font-weight font-variant-numeric letter-spacing line-height text-align text-overflow',
  'white-space overflow-wrap list-style fill stroke stroke-width stroke-linecap stroke-linejoin',
  'text-anchor',
].flatMap((names) => names.split(' '))

/** What is on the page as a picture of its own: each element with the looks that it has there. */
function standAlone(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement
  const sources = [element, ...element.querySelectorAll<HTMLElement | SVGElement>('*')]
  const copies = [copy, ...copy.querySelectorAll<HTMLElement | SVGElement>('*')]
  for (const [at, own] of copies.entries()) {
    const source = sources[at]
    if (!source) continue
    const looks = getComputedStyle(source)
    own.removeAttribute('class')
    own.style.cssText = LOOKS.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(';')
  }
  // What is pressed has no use in a picture; neither has a menu that is still open.
  for (const control of copy.querySelectorAll<HTMLElement>('button, [role=menu]'))
    control.style.display = 'none'
  for (const own of copy.querySelectorAll<HTMLElement>('div, p'))
    if (own.style.overflow) own.style.overflow = 'hidden'
  copy.style.margin = '0'
  return copy
}

/** The font of the interface, which a picture cannot fetch. Empty: it is drawn with another one. */
async function fontStyle(): Promise<string> {
  const address = document.querySelector<HTMLLinkElement>('link[rel=preload][as=font]')?.href
  if (!address) return ''
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return `<style>@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(data:font/woff2;base64,${btoa(text)})}</style>`
}

/** Saves a part of the page as PNG. False where the browser does not draw it. */
export async function saveElement(element: HTMLElement, name: string): Promise<boolean> {
  const width = element.offsetWidth
  const height = element.scrollHeight
  const sharpness = Math.min(SHARPNESS, MOST_PX / Math.max(width, height))
  const copy = standAlone(element)
  copy.style.height = `${height}px`
  copy.style.overflow = 'visible'
  const content = new XMLSerializer().serializeToString(copy)
  const ground = getComputedStyle(document.body).backgroundColor
  const font = await fontStyle().catch(() => '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${font}<rect width="100%" height="100%" fill="${ground}"/><foreignObject width="100%" height="100%">${content}</foreignObject></svg>`
  try {
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * sharpness)
    canvas.height = Math.round(height * sharpness)
    const context = canvas.getContext('2d')
    context?.scale(sharpness, sharpness)
    context?.drawImage(image, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob) saveBlob(`${name}.png`, blob)
    return blob !== null
  } catch {
    return false
  }
}
