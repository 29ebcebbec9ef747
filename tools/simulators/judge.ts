import { judgePaypal, judgePrintful, judgeStripe } from '../../test/conformance/walks/judge.ts'

// What is wrong with the simulator named on the command line, a line each. Ends with 0 when it was judged, whatever the result.

const judges: Readonly<Record<string, () => Promise<string[]>>> = {
  stripe: judgeStripe,
  paypal: judgePaypal,
  printful: judgePrintful,
}

const mistakes = await judges[process.argv[2] ?? '']?.()
if (!mistakes) throw new Error('Name a simulator.')
for (const mistake of mistakes) console.log(mistake.replaceAll('\n', ' '))
process.exit(0)
