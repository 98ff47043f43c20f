// Says why the console does not start, by whatever it fails: a part that is not fetched, an error of a module or of the
// first page, a promise that nobody catches. A page that is on the screen tells its errors itself.
;(function () {
  function show(message) {
    var place = document.getElementById('root')
    if (!place || (place.firstElementChild && !place.querySelector('[data-start-failed]'))) return
    var alert = document.createElement('p')
    alert.setAttribute('role', 'alert')
    alert.setAttribute('data-start-failed', '')
    alert.style.cssText =
      'max-width: 60ch; margin: 15vh auto; padding: 0 24px; font: 14px/22px system-ui, sans-serif'
    alert.textContent = 'Boathouse could not start in this browser: ' + message
    place.replaceChildren(alert)
  }

  function textOf(error) {
    return error instanceof Error ? error.message : String(error)
  }

  // Of an element that was not loaded, the event does not rise: it is caught on its way down.
  window.addEventListener(
    'error',
    function (event) {
      var part = event.target
      if (part instanceof HTMLScriptElement) show(part.src + ' could not be loaded. Reload the page.')
      else if (event instanceof ErrorEvent) show(textOf(event.error || event.message))
    },
    true,
  )
  window.addEventListener('unhandledrejection', function (event) {
    show(textOf(event.reason))
  })
})()
