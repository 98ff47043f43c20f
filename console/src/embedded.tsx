import './ui/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EmbeddedPage } from './features/dashboard/embedded/embedded-page.tsx'
import { schemeIn } from './features/dashboard/embedded/address.ts'

const scheme = schemeIn(window.location.search)
if (scheme) document.documentElement.setAttribute('data-scheme', scheme)

// Nothing of a sign-in is here: what is in a frame of another website does nothing as its reader.
createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <EmbeddedPage />
  </StrictMode>,
)
