import { render } from "preact";
import "./style.css";
render(<h1>oxo</h1>, document.getElementById("app")!);
