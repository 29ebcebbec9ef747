/** Below it a print looks soft or blocky at arm's length; Printful asks for at least 150 too. */
const DPI_MIN = 150

type Size = { width: number; height: number }

/**
 * Dots per inch at which a drawing is printed when it is fitted into its box, whole and in its own proportions.
 * @param drawing in pixels
 * @param printArea in inches
 * @param placement shares of the print area
 */
export function printedDpi(drawing: Size, printArea: Size, placement: Size): number {
  const box = { width: printArea.width * placement.width, height: printArea.height * placement.height }
  // Fitting leaves room beside the drawing in one direction; the other one decides.
  return Math.floor(Math.max(drawing.width / box.width, drawing.height / box.height))
}

/** A sentence for the owner, or undefined when the print is sharp enough. A vector drawing is sharp at any size. */
export function resolutionWarning(
  drawing: Size & { isVector: boolean },
  printArea: Size,
  placement: Size,
): string | undefined {
  if (drawing.isVector) return undefined
  const dpi = printedDpi(drawing, printArea, placement)
  return dpi < DPI_MIN
    ? `At this size the drawing prints at ${dpi} dots per inch and will look soft; at least ${DPI_MIN} are needed. Make it smaller, or upload a larger file.`
    : undefined
}
