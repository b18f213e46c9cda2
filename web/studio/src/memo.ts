// What a page draws again only where it has changed.
import { Component, type ComponentChild, createElement, type FunctionComponent } from "preact";
import { useRef } from "preact/hooks";

// memo is a part of a page that is drawn again only when one of its properties is another, or by itself.
export function memo<P extends object>(part: FunctionComponent<P>): new (props: P) => Component<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return (Object.keys({ ...this.props, ...next }) as (keyof P)[]).some((name) => next[name] !== this.props[name]);
    }
    override render(props: P): ComponentChild { return createElement(part, props); }
  };
}

// useEvent is a function that stays the same from drawing to drawing, and does what the last one given does.
export function useEvent<A extends unknown[], R>(act: (...given: A) => R): (...given: A) => R {
  const latest = useRef(act);
  latest.current = act;
  return useRef((...given: A) => latest.current(...given)).current;
}
