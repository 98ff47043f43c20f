import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { showStartFailure } from './app/start-failure.ts'
import { i18n } from './i18n/start.ts'
import { createQueryClient } from './lib/api.ts'

const place = document.getElementById('root') ?? document.body

try {
  const router = createAppRouter()
  createRoot(place).render(
    <StrictMode>
      <App router={router} queries={createQueryClient()} />
    </StrictMode>,
  )
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  showStartFailure(place, i18n.t('shell.startFailed', { message }))
}
