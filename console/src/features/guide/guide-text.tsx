import '../../i18n/guide.ts'
import { useMemo } from 'react'
import styles from './guide.module.css'
import { MarkdownBlocks } from './markdown-blocks.tsx'
import { readMarkdown } from './read-markdown.ts'

/** A text of others that is written as the guide is, and looks like it. */
export function GuideText({ source, addressOf }: { source: string; addressOf: (name: string) => string }) {
  const blocks = useMemo(() => readMarkdown(source), [source])
  return (
    <article className={styles['article']}>
      <MarkdownBlocks blocks={blocks} addressOf={addressOf} />
    </article>
  )
}
