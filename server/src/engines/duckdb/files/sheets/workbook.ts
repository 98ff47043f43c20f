import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { type Shown, shownByCode, shownByNumber } from './number-formats.ts'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { SheetRefused } from './sheet-refusal.ts'
import { readXml, type XmlListener } from './xml-events.ts'

interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly part: string
}

export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Days are counted from 1904 on. */
  readonly from1904: boolean
  readonly textsPart: string | null
  readonly stylesPart: string | null
}

/** What a part is said to be, by the end of its type, and where it lies. */
interface Relation {
  readonly kind: string
  readonly part: string
}

const ROOT = '_rels/.rels'

const noWorkbook = () =>
  new SheetRefused(
    'This is not XLSX: the archive holds no workbook of that kind. Unpack it and choose the file in it, or save the sheet as XLSX.',
  )

async function readPart(archive: Archive, part: string, listener: XmlListener): Promise<void> {
  await readXml(part, await archive.open(part, part, SHEET_LIMITS.partBytes), listener)
}

/** By id. Where a part lies is said from the folder of the one that names it. */
async function relationsIn(archive: Archive, file: string, folder: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>()
  await readPart(archive, file, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return
      const kind = Type.split('/').at(-1) ?? ''
      relations.set(Id, { kind, part: posix.resolve(`/${folder}`, Target).slice(1) })
    },
  })
  return relations
}

/** What sheets a file has, and where they are. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  if (!archive.has(ROOT)) throw noWorkbook()
  const roots = await relationsIn(archive, ROOT, '')
  const { part } = [...roots.values()].find(({ kind }) => kind === 'officeDocument') ?? { part: '' }
  if (!part.endsWith('.xml') || !archive.has(part)) throw noWorkbook()
  const folder = posix.dirname(part)
  const relations = await relationsIn(archive, `${folder}/_rels/${posix.basename(part)}.rels`, folder)
  const sheets: Sheet[] = []
  let from1904 = false
  await readPart(archive, part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const [, id = ''] = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key)) ?? []
      const relation = relations.get(id)
      if (relation?.kind === 'worksheet')
        sheets.push({
          name: attributes['name'] ?? '',
          isHidden: attributes['state'] !== undefined && attributes['state'] !== 'visible',
          part: relation.part,
        })
    },
  })
  if (sheets.length === 0) throw noWorkbook()
  const partOf = (wanted: string): string | null =>
    [...relations.values()].find(({ kind }) => kind === wanted)?.part ?? null
  return { sheets, from1904, textsPart: partOf('sharedStrings'), stylesPart: partOf('styles') }
}

/** What the numbers of each style stand for. */
export async function readStyles(archive: Archive, part: string | null): Promise<readonly Shown[]> {
  const codes = new Map<number, Shown>()
  const styles: Shown[] = []
  let isOfCells = false
  if (part !== null && archive.has(part))
    await readPart(archive, part, {
      open(name, { numFmtId = '', formatCode = '' }) {
        if (name === 'numFmt') codes.set(Number(numFmtId), shownByCode(formatCode))
        else if (name === 'cellXfs') isOfCells = true
        else if (name === 'xf' && isOfCells)
          styles.push(codes.get(Number(numFmtId)) ?? shownByNumber(Number(numFmtId)))
      },
      close(name) {
        if (name === 'cellXfs') isOfCells = false
      },
    })
  return styles
}

/** The one that was chosen, or else the first that can be seen. */
export function sheetNamed({ sheets }: Workbook, chosen: string | null): Sheet {
  if (chosen !== null) {
    const found = sheets.find(({ name }) => name === chosen)
    if (!found) throw new SheetRefused(`There is no sheet ${chosen} in this file. Choose another one.`)
    return found
  }
  const [first] = sheets.filter(({ isHidden }) => !isHidden)
  const sheet = first ?? sheets[0]
  if (!sheet) throw noWorkbook()
  return sheet
}
