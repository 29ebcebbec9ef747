// Preloaded into an instance: its clock is wrong by CLOCK_SKEW_MS. Timers and the world around it keep the right time.

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
