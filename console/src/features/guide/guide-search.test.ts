import { expect, test } from 'vitest'
import { guidePages } from './guide-pages.ts'
import { searchGuide, sectionsOf } from './guide-search.ts'
import { readMarkdown } from './read-markdown.ts'

const PAGE = `# Boats

Row them well.

## Oars

- An oar is made of *spruce*.

| Part | What it is |
|---|---|
| Blade | The flat end |

## Seats

A seat slides. ${'It slides on and on, along its rail. '.repeat(8)}Grease the rail.
`
const sections = sectionsOf([{ name: 'boats', title: 'Boats', blocks: readMarkdown(PAGE) }])
const search = (text: string) => searchGuide(sections, text)

test('a section is found by words of its lists and tables, with the words around them', () => {
  expect(search('spruce')).toEqual([
    {
      page: 'boats',
      pageTitle: 'Boats',
      id: 'oars',
      heading: 'Oars',
      excerpt: 'An oar is made of spruce. Part What it is Blade The flat end',
    },
  ])
  expect(search('flat BLADE')).toHaveLength(1)
  expect(search('grease')[0]?.excerpt).toMatch(/^… .*Grease the rail\.$/)
})

test('all words must be in it, of its heading or its text, and a heading comes first', () => {
  expect(search('spruce rail')).toEqual([])
  expect(search('boats').map(({ heading }) => heading)[0]).toBe('Boats')
  expect(search('seats slides').map(({ id }) => id)).toEqual(['seats'])
})

test('nothing is searched for without a word', () => {
  expect(search('  ')).toEqual([])
})

test('the guide of the product answers what users search for first', () => {
  const pages = guidePages.map(({ name, source }) => ({ name, title: name, blocks: readMarkdown(source) }))
  const all = sectionsOf(pages)
  for (const [text, page] of [
    ['load csv', 'catalogs'],
    ['row limit', 'sql-editor'],
    ['forgot password', 'getting-started'],
    ['materialized view', 'catalogs'],
    ['budget', 'usage-and-billing'],
  ] as const)
    expect([text, searchGuide(all, text).map((found) => found.page)]).toEqual([
      text,
      expect.arrayContaining([page]),
    ])
})
