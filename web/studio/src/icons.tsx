// Signs on buttons, drawn, as fonts differ in what they hold.

const paths = {
  start: "M5 4v12M15 4 8 10l7 6z",
  back: "M13 4 6 10l7 6z",
  on: "M7 4l7 6-7 6z",
  end: "M15 4v12M5 4l7 6-7 6z",
  up: "M10 4l7 7H3z M10 10v7",
  close: "M5 5l10 10M15 5 5 15",
  sound: "M3 8h3l4-4v12l-4-4H3z M13 7q3 3 0 6 M15 4.5q5.5 5.5 0 11",
  silent: "M3 8h3l4-4v12l-4-4H3z M13 8l4 4M17 8l-4 4",
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return <svg class="sign-icon" viewBox="0 0 20 20" aria-hidden="true"><path d={paths[name]} /></svg>;
}

// Half is the sign of the choice between light and dark.
export function Half() {
  return (
    <svg class="sign-icon" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7" class="hollow" />
      <path d="M10 3a7 7 0 0 1 0 14z" />
    </svg>
  );
}
