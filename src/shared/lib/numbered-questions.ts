/** Numbers questions about one subject; the function for each returns false if a later one was answered first. */
export function numberedQuestions(): () => () => boolean {
  let asked = 0;
  let taken = 0;
  return () => {
    const mine = (asked += 1);
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}
