import cluster from 'node:cluster'

// Two shops behind one port, as `node:cluster` offers them: this process accepts connections and hands them out in turn.

cluster.setupPrimary({ exec: 'src/main.ts' })
const shops = [cluster.fork(), cluster.fork()]
process.once('SIGTERM', () => shops.forEach((shop) => shop.kill('SIGTERM')))
