import { replaceBrokenPicture } from './broken-pictures.ts'
import { afterFirstPaint, applySavedTheme, holdEarlySubmits, replayEarlyClicks, startApp } from './before-hydration.ts'

// In the head: the only script that blocks the first paint. It is a file and not inline, because cached pages cannot carry a
// nonce, and not a module, because modules are deferred.
const { app = '', parts = '', collections = '' } = document.currentScript?.dataset ?? {}
applySavedTheme(document.documentElement, collections.split(' '))
replayEarlyClicks(document)
holdEarlySubmits(window)
replaceBrokenPicture(document)
afterFirstPaint(document, () => startApp(document, app, parts.split(' ')))
