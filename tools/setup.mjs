// Plain JavaScript for any Node >= 18: installs what the lock file says, once per lock file, so that every command
// works in a fresh clone. From then on `node` in npm's scripts is the pinned one of node_modules/.bin.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const stamp = 'node_modules/.installed'
const wanted = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing packages (only when they have changed) ...')
  // npm runs under whichever Node started it; the name alone could find another one.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  // No package needs an install script: binaries come as platform packages. The old npm's engine warnings are hidden.
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(npm[0], [...npm.slice(1), ...options], { stdio: 'inherit', shell: npm.length === 1 })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, wanted)
}
