/**
 * Numbers successive requests, so that a late answer does not overwrite a newer answer. Call the returned function once per
 * request, and its result when the answer arrives: it returns false if a later request was answered first.
 */
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
