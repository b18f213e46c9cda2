package lines

// put and take are play and undo for searches that read only marks, hash and
// the lines of rest 1 and 2: the rest of the state is left as it is, so that
// every put must be taken back before anything else is read.
func (p *state) put(side, s int) {
	p.mark[s] = uint8(side)
	p.hash ^= p.key[side][s]
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[s]:p.throughAt[s+1]] {
		length := int(p.length[l])
		if own[l] == 0 {
			if rest := length - int(other[l]); rest <= 2 && p.barred[side^1][l] == 0 {
				p.open(side^1, l, rest)
			}
		}
		if other[l] == 0 {
			if rest := length - int(own[l]); rest <= 3 && p.barred[side][l] == 0 {
				if rest < 3 {
					p.open(side, l, rest)
				}
				p.shut(side, l, rest-1)
			}
		}
		own[l]++
	}
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[s]:p.barsAt[s+1]] {
			if rest := p.rest(side, int(l)); rest <= 2 {
				p.open(side, l, rest)
			}
			p.barred[side][l]++
		}
	}
}

// take takes back put(side, s), the last one.
func (p *state) take(side, s int) {
	p.mark[s] = empty
	p.hash ^= p.key[side][s]
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[s]:p.barsAt[s+1]] {
			p.barred[side][l]--
			if rest := p.rest(side, int(l)); rest <= 2 {
				p.shut(side, l, rest)
			}
		}
	}
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[s]:p.throughAt[s+1]] {
		own[l]--
		length := int(p.length[l])
		if own[l] == 0 {
			if rest := length - int(other[l]); rest <= 2 && p.barred[side^1][l] == 0 {
				p.shut(side^1, l, rest)
			}
		}
		if other[l] == 0 {
			if rest := length - int(own[l]); rest <= 3 && p.barred[side][l] == 0 {
				p.open(side, l, rest-1)
				if rest < 3 {
					p.shut(side, l, rest)
				}
			}
		}
	}
}

// open takes line l from the lines of that rest, shut adds it.
func (p *state) open(side int, l uint16, rest int) {
	p.close[side][rest][l>>6] &^= 1 << (l & 63)
	p.count[side][rest]--
}

func (p *state) shut(side int, l uint16, rest int) {
	p.close[side][rest][l>>6] |= 1 << (l & 63)
	p.count[side][rest]++
}
