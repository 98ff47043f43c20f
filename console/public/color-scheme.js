// Runs before anything is painted, so that no page flashes in the other scheme. Same key as src/ui/theme.ts.
;(function () {
  var chosen = null
  try {
    chosen = window.localStorage.getItem('boathouse.colorScheme')
  } catch {
    // A browser that refuses storage follows the system.
    chosen = null
  }
  if (chosen !== 'light' && chosen !== 'dark') {
    chosen = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.setAttribute('data-scheme', chosen)
})()
