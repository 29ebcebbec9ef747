import { replaceBrokenPicture } from './broken-pictures.ts'
import { afterFirstPaint, replayEarlyClicks, startApp, applySavedTheme } from './before-hydration.ts'

// Stands in the head, runs before anything is shown, and is the one script that the first paint waits for. A file of its own and
// no module, because a page that anybody may keep can carry no script inside of it.
const { app = '', parts = '', collections = '' } = document.currentScript?.dataset ?? {}
applySavedTheme(document.documentElement, collections.split(' '))
replayEarlyClicks(document)
replaceBrokenPicture(document)
afterFirstPaint(document, () => startApp(document, app, parts.split(' ')))
