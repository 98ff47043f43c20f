import { expect, test } from 'vitest'
import { guidePages } from './guide-pages.ts'
import { idOf, readMarkdown, textOf } from './read-markdown.ts'

const text = (said: string) => ({ kind: 'text', text: said })
const lineOf = (source: string): unknown => {
  const [block] = readMarkdown(source)
  return block && 'line' in block ? block.line : undefined
}

test('reads headings, paragraphs over several lines, lists and code', () => {
  const source =
    '# One *page*\n\nTwo\nlines.\n- a\n- b\n  goes on\n\n1. first\n\n```sql\nSELECT 1;\n\n# no heading\n```\n'
  expect(readMarkdown(source)).toEqual([
    {
      kind: 'heading',
      level: 1,
      id: 'one-page',
      line: [text('One '), { kind: 'emphasis', line: [text('page')] }],
    },
    { kind: 'paragraph', line: [text('Two lines.')] },
    {
      kind: 'list',
      ordered: false,
      items: [[{ kind: 'text', line: [text('a')] }], [{ kind: 'text', line: [text('b goes on')] }]],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', line: [text('first')] }]] },
    { kind: 'code', language: 'sql', text: 'SELECT 1;\n\n# no heading' },
  ])
})

test('reads lists in lists, code and paragraphs in items, and quotes', () => {
  expect(readMarkdown('- a\n  - b\n\n> said\n')).toEqual([
    {
      kind: 'list',
      ordered: false,
      items: [
        [
          { kind: 'text', line: [text('a')] },
          { kind: 'list', ordered: false, items: [[{ kind: 'text', line: [text('b')] }]] },
        ],
      ],
    },
    { kind: 'quote', blocks: [{ kind: 'paragraph', line: [text('said')] }] },
  ])
  expect(readMarkdown('1. a\n\n   ```sh\n   run\n   ```\n')).toMatchObject([
    { kind: 'list', items: [[{ kind: 'paragraph' }, { kind: 'code', text: 'run' }]] },
  ])
})

test('reads tables, with a bar in a cell after a backslash', () => {
  const [table] = readMarkdown('| A | B |\n|---|---|\n| `a \\| b` | c |\n')
  expect(table).toEqual({
    kind: 'table',
    head: [[text('A')], [text('B')]],
    rows: [[[{ kind: 'code', text: 'a | b' }], [text('c')]]],
  })
})

test('reads code, strong words and links within a line; what is never closed stays as it is', () => {
  expect(lineOf('**Run `it`** `SELECT *` as [said *so*](sql-editor.md#run), 2 * 3')).toEqual([
    { kind: 'strong', line: [text('Run '), { kind: 'code', text: 'it' }] },
    text(' '),
    { kind: 'code', text: 'SELECT *' },
    text(' as '),
    {
      kind: 'link',
      line: [text('said '), { kind: 'emphasis', line: [text('so')] }],
      to: 'sql-editor.md#run',
    },
    text(', 2 * 3'),
  ])
  expect(lineOf('a \\*b\\* snake_case_name `` `x` `` &lt;b&gt; &copyright;')).toEqual([
    text('a *b* snake_case_name '),
    { kind: 'code', text: '`x`' },
    text(' <b> &copyright;'),
  ])
})

test.each([
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<a href="javascript:alert(1)">x</a>',
  '<!-- comment -->',
  '<div\n onclick="x">\n\n</div>',
])('HTML is shown as it is written: %s', (source) => {
  const said = JSON.stringify(readMarkdown(source))
  expect(said).not.toMatch(/"kind":"(?!text|paragraph)/)
  expect(
    readMarkdown(source)
      .map((block) => ('line' in block ? textOf(block.line) : ''))
      .join(''),
  ).toContain('<')
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x]( javascript:alert(1) )',
  '[x](&#106;avascript:alert(1))',
  '[x](java\\script:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x](//elsewhere.example/a)',
  '[x](\\\\elsewhere.example)',
  '[x](/%5c/elsewhere)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
])('a link leads to a site, a page of the guide or a heading, or is plain text: %s', (source) => {
  expect(JSON.stringify(readMarkdown(source))).not.toContain('"link"')
})

test('a picture is one of ours, by the name of its file', () => {
  expect(readMarkdown('![An editor](../pictures/editor-light.webp)')).toEqual([
    { kind: 'picture', name: 'editor-light', text: 'An editor' },
  ])
  expect(JSON.stringify(readMarkdown('![x](https://elsewhere.example/a.png)'))).not.toContain('"picture"')
})

test('every page of the guide has a title, and every link within it leads to a page and a heading that exist', () => {
  expect(guidePages.length).toBeGreaterThanOrEqual(4)
  const read = new Map(guidePages.map(({ name, source }) => [name, readMarkdown(source)]))
  for (const [name, blocks] of read) {
    expect(blocks[0], `the title of ${name}`).toMatchObject({ kind: 'heading', level: 1 })
    for (const [, target = '', heading] of (
      guidePages.find((page) => page.name === name)?.source ?? ''
    ).matchAll(/\]\(([\w-]*)(?:\.md)?(?:#([\w-]+))?\)/g)) {
      const page = read.get(target === '' ? name : target)
      expect(page, `${name} links to ${target}`).toBeDefined()
      const ids = page?.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
      if (heading) expect(ids, `${name} links to ${target}#${heading}`).toContain(heading)
    }
  }
})

test('a heading is named as links name it', () => {
  expect(idOf('What you see, and `why`')).toBe('what-you-see-and-why')
})
