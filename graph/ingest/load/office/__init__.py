"""Files of office programs: texts, sheets, slides, RTF."""
