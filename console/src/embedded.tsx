import './ui/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EmbeddedPage } from './features/dashboard/embedded/embedded-page.tsx'

// Nothing of a sign-in is here: what is in a frame of another website does nothing as its reader.
createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <EmbeddedPage />
  </StrictMode>,
)
