import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { CodeBlock } from '../../ui/index.ts'
import { GuidePicture } from './guide-picture.tsx'
import type { Block, Inline, Line } from './read-markdown.ts'

interface Props {
  readonly blocks: readonly Block[]
  readonly addressOf: (name: string) => string
}

export const MarkdownBlocks = ({ blocks, addressOf }: Props): ReactNode =>
  blocks.map((block, index) => <OneBlock key={index} block={block} addressOf={addressOf} />)

type AddressOf = Props['addressOf']

function OneBlock({ block, addressOf }: { block: Block; addressOf: AddressOf }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(block.level, 4)}` as 'h1' | 'h2' | 'h3' | 'h4'
      return (
        <Heading id={block.id}>
          <OneLine line={block.line} addressOf={addressOf} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <OneLine line={block.line} addressOf={addressOf} />
        </p>
      )
    case 'text':
      return <OneLine line={block.line} addressOf={addressOf} />
    case 'quote':
      return (
        <blockquote>
          <MarkdownBlocks blocks={block.blocks} addressOf={addressOf} />
        </blockquote>
      )
    case 'picture':
      return <GuidePicture name={block.name} text={block.text} />
    case 'code':
      return <CodeBlock code={block.text} label={t('guide.example')} />
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((blocks, index) => (
            <li key={index}>
              <MarkdownBlocks blocks={blocks} addressOf={addressOf} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <table>
          <thead>
            <tr>
              {block.head.map((line, index) => (
                <th key={index} scope="col">
                  <OneLine line={line} addressOf={addressOf} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((line, column) => (
                  <td key={column}>
                    <OneLine line={line} addressOf={addressOf} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

const OneLine = ({ line, addressOf }: { line: Line; addressOf: AddressOf }): ReactNode =>
  line.map((part, index) => <Part key={index} part={part} addressOf={addressOf} />)

function Part({ part, addressOf }: { part: Inline; addressOf: AddressOf }) {
  if ('text' in part) return part.kind === 'code' ? <code>{part.text}</code> : part.text
  const within = <OneLine line={part.line} addressOf={addressOf} />
  if ('to' in part)
    return (
      <GuideLink to={part.to} addressOf={addressOf}>
        {within}
      </GuideLink>
    )
  return part.kind === 'strong' ? <strong>{within}</strong> : <em>{within}</em>
}

/** Another page of the guide, a heading of this one, or a site. What is in the repository alone is only named. */
function GuideLink(props: { to: string; addressOf: AddressOf; children: ReactNode }) {
  const { to, addressOf, children } = props
  if (/^https?:\/\//.test(to))
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {children}
      </a>
    )
  const [, name, heading] = /^([\w-]*)(?:\.md)?(?:#([\w-]+))?$/.exec(to) ?? []
  if (name === undefined) return <em>{children}</em>
  if (name === '') return <a href={`#${heading ?? ''}`}>{children}</a>
  return (
    <Link to={addressOf(name)} {...(heading ? { hash: heading } : {})}>
      {children}
    </Link>
  )
}
