/** Formats a change with one decimal: '+12.5%', '-3.0%', '0.0%' (METRICS-26). */
export function changeText(percent: number): string {
  const rounded = Math.round(percent * 10) / 10
  return `${rounded > 0 ? '+' : ''}${(rounded === 0 ? 0 : rounded).toFixed(1)}%`
}
