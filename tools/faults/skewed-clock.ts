// Preloaded into an instance: shifts its clock by CLOCK_SKEW_MS. Timers and other processes are unaffected.

const RealDate = Date
const skewMs = Number(process.env['CLOCK_SKEW_MS'] ?? 0)

class SkewedDate extends RealDate {
  constructor(...parts: [] | [string | number | Date]) {
    if (parts.length === 0) super(RealDate.now() + skewMs)
    else super(...(parts as [string]))
  }

  static override now(): number {
    return RealDate.now() + skewMs
  }
}

globalThis.Date = SkewedDate as DateConstructor
