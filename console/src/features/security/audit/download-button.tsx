import { useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isCallError } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { Button, notify } from '../../../ui/index.ts'
import { IconDownload } from '../icons.ts'
import { readLog, saveLog } from './download-log.ts'

export function DownloadButton() {
  const accountId = useSession().user?.accountId ?? ''
  const [isReading, setReading] = useState(false)
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])
  const download = async (): Promise<void> => {
    const asked = new AbortController()
    reading.current = asked
    setReading(true)
    try {
      saveLog(await readLog(asked.signal), accountId)
    } catch (error) {
      if (!isCallError(error)) throw error
      if (!asked.signal.aborted)
        notify({ tone: 'err', message: t('audit.download.failed', { why: error.message }) })
    } finally {
      setReading(false)
    }
  }
  return (
    <Button
      leftIcon={<IconDownload size={16} aria-hidden />}
      title={t('audit.download.help')}
      loading={isReading}
      onClick={() => void download()}
    >
      {t('audit.download.start')}
    </Button>
  )
}
