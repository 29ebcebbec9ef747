import { replaceBroken } from './broken-pictures.ts'
import { afterFirstPaint, holdPresses, startApp, wearKept } from './early.ts'

// Stands in the head, runs before anything is shown, and is the one script that the first paint waits for. A file of its own and
// no module, because a page that anybody may keep can carry no script inside of it.
const { app = '', parts = '', collections = '' } = document.currentScript?.dataset ?? {}
wearKept(document.documentElement, collections.split(' '))
holdPresses(document)
replaceBroken(document)
afterFirstPaint(document, () => startApp(document, app, parts.split(' ')))
