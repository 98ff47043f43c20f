import { LIMITS } from '@boathouse/contract/limits'
import { type DragEvent, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button, Panel, Refusal } from '../../ui/index.ts'
import styles from './load.module.css'
import { FromAddress } from './from-address.tsx'
import { PasteTable } from './paste-table.tsx'
import type { Uploading } from './use-upload.ts'

interface Props {
  readonly uploading: Uploading
  /** Files are being loaded by this page, one after another. */
  readonly isBusy: boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly onFetch: (address: string) => void
  readonly onCancel: () => void
}

const ACCEPTED = '.csv,.tsv,.tab,.txt,.json,.ndjson,.jsonl,.parquet,.xlsx,.xlsm,.gz,.zst,.zip'

type Way = 'file' | 'paste' | 'address'

/** By which way a file comes. One that has arrived closes the form by which it came; one that was refused keeps it open. */
function useWay(uploading: Uploading) {
  const there = uploading.state === 'there' ? uploading.upload.uploadId : null
  const [chosen, setChosen] = useState<{ way: Way; beside: string | null }>({ way: 'file', beside: null })
  // Kept while the file is fetched: it is there again when it was refused.
  const [address, setAddress] = useState('')
  return {
    address,
    setAddress,
    way: chosen.beside === there ? chosen.way : 'file',
    setWay: (way: Way) => setChosen({ way, beside: there }),
    sentBy: (way: Way) => setChosen({ way, beside: null }),
  }
}

interface OtherWayProps extends Pick<Props, 'onFiles' | 'onFetch'> {
  readonly way: 'paste' | 'address'
  readonly address: string
  readonly setAddress: (address: string) => void
  readonly sentBy: (way: Way) => void
  readonly onClose: () => void
}

/** The form for a table that is pasted, or for a file that the service fetches. */
function OtherWay({ way, address, setAddress, sentBy, onFiles, onFetch, onClose }: OtherWayProps) {
  const paste = (file: File) => {
    sentBy('paste')
    onFiles([file])
  }
  const fetch = (from: string) => {
    sentBy('address')
    onFetch(from)
  }
  return way === 'paste' ? (
    <PasteTable onFile={paste} onClose={onClose} />
  ) : (
    <FromAddress address={address} onChange={setAddress} onFetch={fetch} onClose={onClose} />
  )
}

/** Where a file is dropped or chosen, and how much of it has arrived. */
export function FilePanel({ uploading, isBusy, onFiles, onFetch, onCancel }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const { way, setWay, ...other } = useWay(uploading)
  const failed = uploading.state === 'none' ? uploading.failed : undefined
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0 && !isBusy) onFiles(files)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <Panel title={t('load.file.title')}>
      <div className={styles['stack']}>
        <div
          className={styles['drop']}
          data-over={isOver || undefined}
          onDragOver={over}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          {uploading.state === 'sending' ? (
            <Sending of={uploading} onCancel={onCancel} />
          ) : (
            <>
              <p>
                {uploading.state === 'there'
                  ? t('load.file.uploaded', {
                      name: uploading.upload.name,
                      size: formatBytes(uploading.upload.sizeBytes),
                    })
                  : t('load.file.drop')}
              </p>
              <div className={styles['actions']}>
                <Button
                  variant={uploading.state === 'there' ? 'default' : 'primary'}
                  disabled={isBusy}
                  onClick={() => input.current?.click()}
                >
                  {uploading.state === 'there' ? t('load.file.another') : t('load.file.choose')}
                </Button>
                {way !== 'paste' && !isBusy && (
                  <Button onClick={() => setWay('paste')}>{t('load.paste.open')}</Button>
                )}
                {way !== 'address' && !isBusy && (
                  <Button onClick={() => setWay('address')}>{t('load.address.open')}</Button>
                )}
              </div>
            </>
          )}
          <input
            ref={input}
            type="file"
            multiple
            disabled={isBusy}
            className="visually-hidden"
            tabIndex={-1}
            aria-label={t('load.file.choose')}
            accept={ACCEPTED}
            onChange={(event) => {
              const files = [...(event.target.files ?? [])]
              if (files.length > 0) onFiles(files)
              event.target.value = ''
            }}
          />
        </div>
        {way !== 'file' && uploading.state !== 'sending' && !isBusy && (
          <OtherWay way={way} {...other} onFiles={onFiles} onFetch={onFetch} onClose={() => setWay('file')} />
        )}
        <p className={styles['note']}>{t('load.file.help', { most: formatBytes(LIMITS.uploadBytes) })}</p>
        <Refusal text={uploading.state === 'none' ? uploading.refusal : undefined} />
        {failed && (
          <div>
            <Button onClick={() => onFiles(failed)}>
              {t('load.file.again', { name: failed[0]?.name ?? '' })}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

function Sending({ of, onCancel }: { of: Uploading & { state: 'sending' }; onCancel: () => void }) {
  const { name, size, sent, isWaiting, isFetched } = of
  const title = t(isFetched ? 'load.address.fetching' : 'load.file.uploading', { name })
  return (
    <>
      <p>{title}</p>
      <progress
        className={styles['bar']}
        {...(size !== null && { max: size, value: sent })}
        aria-label={title}
      />
      <p className={styles['note']} role="status">
        {isWaiting
          ? t('load.file.waiting')
          : size === null
            ? t('load.address.received', { received: formatBytes(sent) })
            : t('load.file.progress', { sent: formatBytes(sent), size: formatBytes(size) })}
      </p>
      <Button onClick={onCancel}>{t('load.file.cancel')}</Button>
    </>
  )
}
