import {
  LOAD_ENCODINGS,
  LOAD_FORMATS,
  type LoadEncoding,
  type LoadFormat,
  type Reading,
} from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Button, Panel, Select, Refusal } from '../../ui/index.ts'
import styles from './load.module.css'
import { WrittenFields } from './written-fields.tsx'

interface Props {
  readonly reading: Reading
  /** Those that the file was found to have. */
  readonly sheets: readonly string[]
  /** What the last preview detected; null where it was chosen, or is not known yet. */
  readonly detected: Pick<Reading, 'delimiter' | 'header'>
  readonly onChange: (reading: Reading) => void
  readonly onLook: () => void
  readonly isLooking: boolean
  readonly error: string
}

const AUTO = 'auto'
const SEPARATED: readonly LoadFormat[] = ['csv', 'tsv']
const HAS_HEADER: readonly LoadFormat[] = [...SEPARATED, 'xlsx']

const detectedDelimiters = (): Partial<Record<string, string>> => ({
  ',': t('load.reading.detectedComma'),
  ';': t('load.reading.detectedSemicolon'),
  '\t': t('load.reading.detectedTab'),
  '|': t('load.reading.detectedPipe'),
})

const automatic = (value: string | undefined) => ({
  value: AUTO,
  label: value === undefined ? t('load.reading.auto') : t('load.reading.detected', { value }),
})

const delimiters = (detected: string | null) => [
  automatic(detected === null ? undefined : (detectedDelimiters()[detected] ?? detected)),
  { value: ',', label: t('load.reading.comma') },
  { value: ';', label: t('load.reading.semicolon') },
  { value: '\t', label: t('load.reading.tab') },
  { value: '|', label: t('load.reading.pipe') },
]

const headers = (detected: boolean | null) => [
  automatic(
    detected === null
      ? undefined
      : t(detected ? 'load.reading.detectedNames' : 'load.reading.detectedNoNames'),
  ),
  { value: 'true', label: t('load.reading.names') },
  { value: 'false', label: t('load.reading.noNames') },
]

const named = (values: readonly string[]) => values.map((value) => ({ value, label: value.toUpperCase() }))

/** A sheet may have any name, but it has one. */
const FIRST_SHEET = ''

/** The one that is chosen is there while it is looked at. */
const sheetsIn = (names: readonly string[], chosen: string | null) => [
  { value: FIRST_SHEET, label: t('load.reading.firstSheet') },
  ...[...new Set([...names, ...(chosen === null ? [] : [chosen])])].map((name) => ({
    value: name,
    label: name,
  })),
]

/** How the file is written, as far as somebody knows better than the engine. */
export function ReadingPanel({ reading, sheets, detected, onChange, onLook, isLooking, error }: Props) {
  const isSeparated = SEPARATED.includes(reading.format)
  const change = (part: Partial<Reading>) => onChange({ ...reading, ...part })
  return (
    <Panel title={t('load.reading.title')}>
      <div className={styles['stack']}>
        <div className={styles['fields']}>
          <Select
            label={t('load.reading.format')}
            width={120}
            options={named(LOAD_FORMATS)}
            value={reading.format}
            onChange={(format) => change({ format: format as LoadFormat })}
          />
          {isSeparated && (
            <>
              <Select
                label={t('load.reading.encoding')}
                width={120}
                options={named(LOAD_ENCODINGS)}
                value={reading.encoding}
                onChange={(encoding) => change({ encoding: encoding as LoadEncoding })}
              />
              <Select
                label={t('load.reading.delimiter')}
                width={250}
                options={delimiters(detected.delimiter)}
                value={reading.delimiter ?? AUTO}
                onChange={(delimiter) => change({ delimiter: delimiter === AUTO ? null : delimiter })}
              />
            </>
          )}
          {reading.format === 'xlsx' && (
            <Select
              label={t('load.reading.sheet')}
              width={200}
              options={sheetsIn(sheets, reading.sheet)}
              value={reading.sheet ?? FIRST_SHEET}
              onChange={(sheet) => change({ sheet: sheet === FIRST_SHEET ? null : sheet })}
            />
          )}
          {HAS_HEADER.includes(reading.format) && (
            <Select
              label={t('load.reading.header')}
              width="min(270px, 100%)"
              options={headers(detected.header)}
              value={reading.header === null ? AUTO : String(reading.header)}
              onChange={(header) => change({ header: header === AUTO ? null : header === 'true' })}
            />
          )}
        </div>
        {isSeparated && (
          <div className={styles['fields']}>
            <WrittenFields written={reading.written} onChange={(written) => change({ written })} />
          </div>
        )}
        <div>
          <Button onClick={onLook} loading={isLooking}>
            {t('load.reading.again')}
          </Button>
        </div>
        <Refusal text={error === '' ? undefined : error} />
      </div>
    </Panel>
  )
}
