import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { showStartFailure } from './app/start-failure.ts'
import { t } from './i18n/texts.ts'

const place = document.getElementById('root') ?? document.body

try {
  createRoot(place).render(
    <StrictMode>
      <App router={createAppRouter()} />
    </StrictMode>,
  )
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  showStartFailure(place, t('shell.startFailed', { message }))
}
