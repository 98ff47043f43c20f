import { saveBlob } from '../../lib/save-file.ts'

const PAD_PX = 16
const LEGEND_PX = 26
const SHARPNESS = 2
const NAMESPACE = 'http://www.w3.org/2000/svg'
/** What a picture needs of the page's style sheets, as they are not in the file. */
const LOOKS = ['fill', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'color'] as const

export interface Picture {
  readonly svg: SVGSVGElement
  readonly series: readonly string[]
  /** Of the file, without its ending. */
  readonly name: string
}

function make<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** The names of the series above the picture, in their colours. */
function legendOf({ svg, series }: Picture): SVGGElement {
  const legend = make('g', { transform: `translate(${PAD_PX} ${PAD_PX + 10})` })
  const { color, fontFamily } = getComputedStyle(svg)
  let x = 0
  for (const [at, name] of series.entries()) {
    const drawn = svg.querySelector(`[data-series='${at}']`)
    legend.append(
      make('rect', { x, y: -9, width: 9, height: 9, fill: drawn ? getComputedStyle(drawn).color : color }),
    )
    const text = make('text', {
      x: x + 15,
      y: 0,
      fill: color,
      'font-family': fontFamily,
      'font-size': '12px',
    })
    text.textContent = name
    legend.append(text)
    x += 15 + name.length * 7 + 16
  }
  return legend
}

/** The chart as a file of its own: with its colours, on the ground of the page. */
function standAlone(picture: Picture): {
  readonly text: string
  readonly width: number
  readonly height: number
} {
  const { svg } = picture
  const { width, height } = { width: svg.width.baseVal.value, height: svg.height.baseVal.value }
  const copy = svg.cloneNode(true) as SVGSVGElement
  const drawn = svg.querySelectorAll<SVGElement>('*')
  for (const [at, element] of copy.querySelectorAll<SVGElement>('*').entries()) {
    const source = drawn[at]
    if (!source) continue
    const looks = getComputedStyle(source)
    for (const look of LOOKS) element.setAttribute(look, looks.getPropertyValue(look))
    element.removeAttribute('class')
  }
  const whole = make('svg', {
    xmlns: NAMESPACE,
    width: width + 2 * PAD_PX,
    height: height + LEGEND_PX + 2 * PAD_PX,
  })
  const chart = make('g', { transform: `translate(${PAD_PX} ${PAD_PX + LEGEND_PX})` })
  chart.append(...copy.childNodes)
  const ground = getComputedStyle(document.body).backgroundColor
  whole.append(make('rect', { width: '100%', height: '100%', fill: ground }), legendOf(picture), chart)
  return {
    text: new XMLSerializer().serializeToString(whole),
    width: width + 2 * PAD_PX,
    height: height + LEGEND_PX + 2 * PAD_PX,
  }
}

export function saveSvg(picture: Picture): void {
  saveBlob(`${picture.name}.svg`, new Blob([standAlone(picture).text], { type: 'image/svg+xml' }))
}

export async function savePng(picture: Picture): Promise<void> {
  const { text, width, height } = standAlone(picture)
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SHARPNESS
  canvas.height = height * SHARPNESS
  const context = canvas.getContext('2d')
  context?.scale(SHARPNESS, SHARPNESS)
  context?.drawImage(image, 0, 0)
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (content) saveBlob(`${picture.name}.png`, content)
}
