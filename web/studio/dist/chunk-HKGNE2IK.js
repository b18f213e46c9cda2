var n=(e,r)=>e.current?.()??Promise.resolve(r);export{n as a};
