import { type Block, textOf } from './read-markdown.ts'

export interface GuideText {
  readonly name: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A part of a page, from its heading to the next. */
interface Section {
  readonly page: string
  readonly pageTitle: string
  /** Empty for the top of the page. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface Found extends Pick<Section, 'page' | 'pageTitle' | 'id' | 'heading'> {
  /** The words around the first match. */
  readonly excerpt: string
}

const MOST_FOUND = 20
const AROUND = 40

function plainText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'text':
      return textOf(block.line)
    case 'picture':
    case 'code':
      return block.text
    case 'list':
      return block.items.flat().map(plainText).join(' ')
    case 'quote':
      return block.blocks.map(plainText).join(' ')
    case 'table':
      return [block.head, ...block.rows].flat().map(textOf).join(' ')
  }
}

export function sectionsOf(pages: readonly GuideText[]): readonly Section[] {
  return pages.flatMap(({ name: page, title: pageTitle, blocks }) => {
    const sections: { id: string; heading: string; texts: string[] }[] = []
    for (const block of blocks) {
      const isHeading = block.kind === 'heading'
      if (isHeading || sections.length === 0)
        sections.push({
          id: isHeading && block.level > 1 ? block.id : '',
          heading: isHeading ? textOf(block.line) : pageTitle,
          texts: [],
        })
      if (!isHeading) sections.at(-1)?.texts.push(plainText(block))
    }
    return sections.map(({ id, heading, texts }) => ({ page, pageTitle, id, heading, text: texts.join(' ') }))
  })
}

function excerptOf(text: string, at: number): string {
  const from = at <= AROUND ? 0 : text.indexOf(' ', at - AROUND) + 1
  const until = text.indexOf(' ', at + 2 * AROUND)
  return `${from > 0 ? '… ' : ''}${until === -1 ? text.slice(from) : `${text.slice(from, until)} …`}`
}

/** Sections with every word of the search, those with it in their heading first. */
export function searchGuide(sections: readonly Section[], search: string): readonly Found[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = sections.flatMap(({ text, ...section }) => {
    const heading = `${section.pageTitle} ${section.heading}`.toLowerCase()
    const all = text.toLowerCase()
    if (!words.every((word) => heading.includes(word) || all.includes(word))) return []
    const at = Math.max(0, all.indexOf(words.find((word) => all.includes(word)) ?? ''))
    const rank = words.filter((word) => section.heading.toLowerCase().includes(word)).length
    return [{ rank, found: { ...section, excerpt: excerptOf(text, at) } }]
  })
  return found
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, MOST_FOUND)
    .map((one) => one.found)
}
