import { expect, test } from 'vitest'
import { guidePages } from './guide-pages.ts'
import { idOf, readLine, readMarkdown } from './read-markdown.ts'

test('reads headings, paragraphs over several lines, lists and code', () => {
  const source =
    '# One *page*\n\nTwo\nlines.\n- a\n- b\n  goes on\n\n1. first\n\n```sql\nSELECT 1;\n\n# no heading\n```\n'
  expect(readMarkdown(source)).toEqual([
    {
      kind: 'heading',
      level: 1,
      id: 'one-page',
      line: [
        { kind: 'text', text: 'One ' },
        { kind: 'emphasis', text: 'page' },
      ],
    },
    { kind: 'paragraph', line: [{ kind: 'text', text: 'Two lines.' }] },
    {
      kind: 'list',
      ordered: false,
      items: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b goes on' }]],
    },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'first' }]] },
    { kind: 'code', language: 'sql', text: 'SELECT 1;\n\n# no heading' },
  ])
})

test('reads tables, with bars in code left alone', () => {
  const [table] = readMarkdown('| A | B |\n|---|---|\n| `a | b` | c |\n')
  expect(table).toEqual({
    kind: 'table',
    head: [[{ kind: 'text', text: 'A' }], [{ kind: 'text', text: 'B' }]],
    rows: [[[{ kind: 'code', text: 'a | b' }], [{ kind: 'text', text: 'c' }]]],
  })
})

test('reads code, strong words and links within a line; what is never closed stays as it is', () => {
  expect(readLine('**Run** `SELECT *` as [said](sql-editor.md#run), 2 * 3')).toEqual([
    { kind: 'strong', text: 'Run' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'SELECT *' },
    { kind: 'text', text: ' as ' },
    { kind: 'link', text: 'said', to: 'sql-editor.md#run' },
    { kind: 'text', text: ', 2 * 3' },
  ])
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
