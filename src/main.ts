import './modules.ts'

await import('./run.ts')
