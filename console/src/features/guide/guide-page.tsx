import '../../i18n/guide.ts'
import { Link } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.ts'
import { t } from '../../i18n/texts.ts'
import { EmptyState, Spinner, TextField } from '../../ui/index.ts'
import { guidePages } from './guide-pages.ts'
import { type Found, searchGuide, sectionsOf } from './guide-search.ts'
import styles from './guide.module.css'
import { MarkdownBlocks } from './markdown-blocks.tsx'
import { readMarkdown, textOf } from './read-markdown.ts'

interface Props {
  /** Of the page; the first one by default. */
  readonly name: string | undefined
  /** What the address points at within the page. */
  readonly heading: string
  readonly addressOf: (name: string) => string
  readonly onNamed: (title: string) => void
}

const PAGES = guidePages.map(({ name, source }) => {
  const blocks = readMarkdown(source)
  const [first] = blocks
  return { name, blocks, title: first?.kind === 'heading' ? textOf(first.line) : name }
})

const SECTIONS = sectionsOf(PAGES)

/** Made from the description of the running server, and no text of ours. */
const REFERENCE = 'reference'
const ReferencePage = lazyPart(async () => ({
  default: (await import('./reference/reference-page.tsx')).ReferencePage,
}))

/** Our own guide, read without any other host. */
export function GuidePage({ name, heading, addressOf, onNamed }: Props) {
  const page = name === undefined ? PAGES[0] : PAGES.find((one) => one.name === name)
  const isReference = name === REFERENCE
  const title = page?.title
  const [search, setSearch] = useState('')
  const text = useDeferredValue(search.trim())
  const close = () => setSearch('')
  useEffect(() => {
    if (title) onNamed(title)
  }, [title, onNamed])
  useEffect(() => {
    if (heading && title && text === '') document.getElementById(heading)?.scrollIntoView()
  }, [heading, title, text])
  return (
    <div className={styles['guide']}>
      <nav aria-label={t('guide.pages')} className={styles['pages']}>
        <TextField
          type="search"
          label={t('guide.search')}
          hideLabel
          placeholder={t('guide.search')}
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ul>
          {PAGES.map((one) => (
            <li key={one.name}>
              <Link to={addressOf(one.name)} aria-current={one === page ? 'page' : undefined} onClick={close}>
                {one.title}
              </Link>
            </li>
          ))}
          <li>
            <Link to={addressOf(REFERENCE)} aria-current={isReference ? 'page' : undefined} onClick={close}>
              {t('guide.reference')}
            </Link>
          </li>
        </ul>
      </nav>
      <article className={styles['article']}>
        {text !== '' && (
          <FoundSections found={searchGuide(SECTIONS, text)} addressOf={addressOf} onOpen={close} />
        )}
        {text === '' && page && <MarkdownBlocks blocks={page.blocks} addressOf={addressOf} />}
        {text === '' && isReference && (
          <Suspense fallback={<Spinner label={t('guide.loading')} />}>
            <ReferencePage call={heading} address={addressOf(REFERENCE)} onNamed={onNamed} />
          </Suspense>
        )}
        {text === '' && !page && !isReference && (
          <EmptyState page title={t('guide.missing')}>
            <p>{t('guide.missingText')}</p>
          </EmptyState>
        )}
      </article>
    </div>
  )
}

interface FoundProps extends Pick<Props, 'addressOf'> {
  readonly found: readonly Found[]
  readonly onOpen: () => void
}

function FoundSections({ found, addressOf, onOpen }: FoundProps) {
  return (
    <section aria-label={t('guide.found')}>
      <p role="status">{t('guide.foundCount', { count: found.length })}</p>
      <ul className={styles['found']}>
        {found.map(({ page, pageTitle, id, heading, excerpt }) => (
          <li key={`${page} ${id}`}>
            <Link to={addressOf(page)} {...(id && { hash: id })} onClick={onOpen}>
              {heading === pageTitle ? heading : `${pageTitle}: ${heading}`}
            </Link>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
