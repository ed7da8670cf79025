/** What a window shows before its page has painted: the frame's colour of the tokens file, so that nothing flashes. */
export function windowColour(dark: boolean): string {
  return dark ? '#0e1116' : '#f4f5f8';
}
