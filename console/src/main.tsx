import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'

// What fails here, now or later, is shown by public/start-watch.js.
createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <App router={createAppRouter()} />
  </StrictMode>,
)
