import '../../i18n/guide.ts'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/index.ts'
import { guidePages } from './guide-pages.ts'
import styles from './guide.module.css'
import { MarkdownBlocks } from './markdown-blocks.tsx'
import { readMarkdown, textOf } from './read-markdown.ts'

interface Props {
  /** Of the page; the first one unless told. */
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

/** HOME-05: our own guide, read without any other host. */
export function GuidePage({ name, heading, addressOf, onNamed }: Props) {
  const page = name === undefined ? PAGES[0] : PAGES.find((one) => one.name === name)
  const title = page?.title
  useEffect(() => {
    if (title) onNamed(title)
  }, [title, onNamed])
  useEffect(() => {
    if (heading && title) document.getElementById(heading)?.scrollIntoView()
  }, [heading, title])
  return (
    <div className={styles['guide']}>
      <nav aria-label={t('guide.pages')} className={styles['pages']}>
        <ul>
          {PAGES.map((one) => (
            <li key={one.name}>
              <Link to={addressOf(one.name)} aria-current={one === page ? 'page' : undefined}>
                {one.title}
              </Link>
            </li>
          ))}
          <li>
            <a href="/api/openapi.json" target="_blank" rel="noreferrer">
              {t('guide.api')}
            </a>
          </li>
        </ul>
      </nav>
      <article className={styles['article']}>
        {page ? (
          <MarkdownBlocks blocks={page.blocks} addressOf={addressOf} />
        ) : (
          <EmptyState page title={t('guide.missing')}>
            <p>{t('guide.missingText')}</p>
          </EmptyState>
        )}
      </article>
    </div>
  )
}
